import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { problemIn } from '../../../src/http/stages/issues.ts'
import { create as createAlone } from './contract.ts'
import * as contracts from './contract-templates.ts'
import { makeLink } from './making.ts'
import {
  planCreateTemplate,
  planDeleteTemplate,
  planUpdateTemplate,
  underTemplate,
} from './plan-templates.ts'
import { presentTemplate } from './present.ts'
import { templateById, templatesPage } from './store.ts'

const missing = 'payment_link_template_not_found'

export const templateOperations = [
  operation(contracts.create, (call) => call.publish(planCreateTemplate(call.body, call))),
  listOperation(contracts.list, templatesPage, presentTemplate),
  getOperation(contracts.get, templateById, presentTemplate),
  operation(contracts.update, async (call) => {
    const [template] = await call.read(templateById(call.params))
    return template ? call.publish(planUpdateTemplate(template, call.body, call)) : call.fail(missing)
  }),
  operation(contracts.remove, async (call) => {
    const [template] = await call.read(templateById(call.params))
    return template ? call.publish(planDeleteTemplate(template, call)) : call.fail(missing)
  }),
  operation(contracts.createLink, async (call) => {
    const [template] = await call.read(templateById(call.params))
    if (!template) return call.fail(missing)
    const merged = underTemplate(template.settings, call.body)
    const { data, error } = createAlone.body!.safeParse(merged)
    if (error) throw problemIn(error, merged, { schema: createAlone.body })
    return makeLink(call, data, template.id)
  }),
]
