// A reporter of Vitest: one line for each test or file that failed, before the details of the first.
import { relative } from 'node:path'

const line = (text) => text.replace(/\s+/g, ' ').slice(0, 240)

export default class Failed {
  onTestRunEnd(modules) {
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
      for (const { message } of errors) console.log(`FAIL ${file}: ${line(message)}`)
      for (const test of module.children.allTests('failed'))
        console.log(`FAIL ${file} > ${test.fullName}: ${line(test.result().errors[0]?.message ?? '')}`)
    }
  }
}
