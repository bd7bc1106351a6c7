import { page } from './page.ts'

/** `/docs`: the API reference. */
export const referencePage = (): string =>
  page({ title: 'API reference', script: '/docs/start.js', body: '<main id="reference"></main>' })

/** Starts Swagger UI: it sends requests only to the address that serves the page. */
export const referenceScript = `fetch('/openapi.json')
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: location.origin, description: 'This environment' }] },
      dom_id: '#reference',
      deepLinking: true,
      validatorUrl: null,
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
      tryItOutEnabled: false,
      requestSnippetsEnabled: true,
    }),
  )
`
