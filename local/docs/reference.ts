import { page } from './page.ts'

/** `/docs`: the API reference. */
export const referencePage = (): string =>
  page({ title: 'API reference', script: '/docs/start.js', body: '<main id="reference"></main>' })

/**
 * Starts Swagger UI: it sends requests only to the address that serves the page. It begins with the list of areas, so that
 * a link to an operation opens it where it stays; the filter finds operations by any of their words, its own only areas.
 */
export const referenceScript = `const find = (phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/)
  return (operation, area) => {
    const text = [area, operation.get('path'), operation.get('method'), operation.getIn(['operation', 'operationId']),
      operation.getIn(['operation', 'summary'])].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
const filtering = () => ({
  fn: {
    opsFilter: (areas, phrase) => {
      const fits = find(phrase)
      return areas
        .map((area, name) => area.update('operations', (all) => all.filter((each) => fits(each, name))))
        .filter((area) => area.get('operations').size > 0)
    },
  },
  wrapComponents: {
    Webhooks: (Events, { React }) => (props) =>
      React.createElement(
        'details',
        { className: 'events' },
        React.createElement('summary', null, 'Events that webhooks receive'),
        React.createElement(Events, props),
      ),
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (update, { layoutActions, specSelectors }) => (phrase) => {
          const fits = find(phrase || '')
          specSelectors.taggedOperations().forEach((area, name) => {
            const found = phrase && area.get('operations').some((each) => fits(each, name))
            layoutActions.show(['operations-tag', name], Boolean(found))
          })
          return update(phrase)
        },
      },
    },
  },
})

fetch('/openapi.json')
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: location.origin, description: 'This environment' }] },
      dom_id: '#reference',
      deepLinking: true,
      filter: true,
      plugins: [filtering],
      validatorUrl: null,
      defaultModelsExpandDepth: -1,
      docExpansion: 'none',
      tryItOutEnabled: false,
      requestSnippetsEnabled: true,
    }),
  )
addEventListener('hashchange', () => location.reload())
`
