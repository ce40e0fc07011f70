import { getProductTemplate, importProducts, previewProducts } from '@aisle/contract/catalog/productImport'
import { command, query, type Route } from '../../../kernel/route'
import { templateOf } from '../../../kernel/sheet/sheet.form'
import { importGood, preview } from './import.commands'
import { productSheet } from './import.rules'

export const routes: Route[] = [
  query(getProductTemplate, (ctx) => templateOf(productSheet, ctx.language)),
  query(previewProducts, preview),
  command(importProducts, importGood),
]
