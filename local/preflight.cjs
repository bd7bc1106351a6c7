// Runs first, on any version of Node: only Node's own modules, and no newer syntax than needed.
// biome-ignore lint/style/useNodejsImportProtocol: a Node too old to know it must still be able to say so
const fs = require('fs')
// biome-ignore lint/style/useNodejsImportProtocol: as above
const path = require('path')

const OLDEST_NODE = 20
const project = path.join(__dirname, '..')

const problem = findProblem(Number(process.versions.node.split('.')[0]))
if (problem) {
  console.error(problem)
  process.exit(1)
}

function findProblem(major) {
  const modules = path.join(project, 'node_modules')
  if (!fs.existsSync(modules)) {
    return major < OLDEST_NODE
      ? `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or newer, then run \`npm ci\``
      : 'The packages are not installed yet: run `npm ci` first'
  }
  const wanted = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'))
  const versions = Object.assign({}, wanted.dependencies, wanted.devDependencies)
  for (const name of Object.keys(versions)) {
    const found = versionOf(path.join(modules, name, 'package.json'))
    if (found === versions[name]) continue
    return `The installed packages are not those of package.json (${name} is ${found || 'missing'}, not ${versions[name]}): run \`npm ci\``
  }
  const needed = Number(versions.node.split('.')[0])
  if (major >= needed) return ''
  // npm puts the packages' own Node first on the PATH, so this is another one.
  return fs.existsSync(path.join(modules, '.bin', 'node'))
    ? `This needs Node ${needed}, which npm scripts use by themselves: start it with \`npm start\` or \`npm run\``
    : `Node ${needed} did not come with the packages (were install scripts switched off?): run \`npm ci\` with them on`
}

function versionOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).version
  } catch (_) {
    return ''
  }
}
