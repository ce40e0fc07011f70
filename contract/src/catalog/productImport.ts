import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { judgedSheet, sheetRefusals, sheetTemplate, zSheet } from '../kernel/sheet'

/** Columns of the sheet, in its order; what the form asks of a product, but for pictures beside the thumbnail. */
export const productColumns = [
  'code',
  'name',
  'costFen',
  'priceFen',
  'barcodes',
  'categoryId',
  'brand',
  'specification',
  'unit',
  'manufacturer',
  'externalCode',
  'isJointVenture',
  'shelfLifeDays',
  'producedOn',
  'bestBefore',
  'tags',
  'conditionIds',
  'picture',
  'remark',
] as const
export type ProductColumn = (typeof productColumns)[number]

const access = 'product.write' as const
const input = z.strictObject({ merchantId: zId, file: zSheet })

export const getProductTemplate = endpoint({
  name: 'catalog.getProductTemplate',
  method: 'GET',
  path: '/api/product-imports/template',
  access,
  input: z.strictObject({}),
  output: sheetTemplate,
  summary: 'An empty sheet with the columns of the import and what may stand in them, in the language of the caller',
})

export const previewProducts = endpoint({
  name: 'catalog.previewProducts',
  method: 'POST',
  path: '/api/product-imports/preview',
  access,
  input,
  output: z.object({
    ...judgedSheet,
    /** Of the good ones: without a picture, and none in the library under their barcode. They come in offline. */
    bare: z.int(),
  }),
  refusals: ['request.notFound', ...sheetRefusals],
  summary: 'What a sheet of products would add, and what is wrong with which of its rows; nothing has changed',
})

export const importProducts = endpoint({
  name: 'catalog.importProducts',
  method: 'POST',
  path: '/api/product-imports',
  access,
  writes: true,
  input,
  output: z.object({
    added: z.int(),
    /** Rows with faults, which were left out. */
    left: z.int(),
    bare: z.int(),
  }),
  refusals: ['request.notFound', 'product.meanwhile', ...sheetRefusals],
  summary: 'Add the products of the rows that are good, in one transaction, and leave the others out',
})
