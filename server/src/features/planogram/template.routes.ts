import { listTemplateProducts } from '@aisle/contract/planogram/slot'
import {
  applyTemplate,
  getTemplateRun,
  previewTemplate,
  previewTemplateMachine,
  releaseMachines,
} from '@aisle/contract/planogram/apply'
import {
  addTemplate,
  copyTemplate,
  editTemplate,
  getTemplate,
  importTemplates,
  listParentTemplates,
  listTemplates,
  makeTemplate,
  removeTemplate,
} from '@aisle/contract/planogram/template'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { apply } from './apply.commands'
import { findOffered, importAll } from './import.commands'
import { preview, previewMachine } from './preview'
import { findTemplateProducts } from './product.reads'
import { add, copy, edit, makeFromMachine, release, remove } from './template.commands'
import { findTemplateDetail, findRun, listTemplatesIn } from './template.reads'

export const routes: Route[] = [
  ...listOf(listTemplates, (ctx, input) => listTemplatesIn(sightOf(ctx.actor), input)),
  query(getTemplate, async (ctx, { id }) => {
    const found = await findTemplateDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  ...listOf(listTemplateProducts, async (ctx, input) => {
    const merchantId = input.merchantId ?? ctx.actor.merchantId
    await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
    return findTemplateProducts(merchantId, input)
  }),
  query(previewTemplate, preview),
  query(previewTemplateMachine, previewMachine),
  query(getTemplateRun, async (ctx, { id, batch }) => {
    const found = await findRun(ctx.db, sightOf(ctx.actor), id, batch)
    return existing(found)
  }),
  query(listParentTemplates, async (ctx, { id }) => {
    const found = await findOffered(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  command(addTemplate, add),
  command(editTemplate, edit),
  command(removeTemplate, (ctx, { id }) => remove(ctx, id)),
  command(copyTemplate, copy),
  command(makeTemplate, makeFromMachine),
  command(importTemplates, importAll),
  command(applyTemplate, apply),
  command(releaseMachines, release),
]
