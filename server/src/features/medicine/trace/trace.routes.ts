import * as contract from '@aisle/contract/medicine/trace'
import * as upload from '@aisle/contract/medicine/traceUpload'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { listTracesIn, listUncodedIn, storyByCode, storyById, summary } from './trace.reads'
import { destroy, register, takeBack } from './traceDesk.commands'
import { putAccount, resend } from './traceUpload.commands'
import { accountsIn, listTraceUploadsIn, uploadSummary } from './traceUpload.reads'

export const routes: Route[] = [
  ...listOf(contract.listTraces, listTracesIn),
  ...listOf(contract.listUncoded, listUncodedIn),
  query(contract.summariseTraces, (ctx, { productId }) => summary(ctx, productId)),
  query(contract.getTrace, async (ctx, { id }) => existing(await storyById(ctx, id))),
  query(contract.findTrace, async (ctx, { code }) => ({ found: (await storyByCode(ctx, code)) ?? null })),
  command(contract.registerTraces, register),
  command(contract.takeBackTraces, takeBack),
  command(contract.destroyTraces, destroy),
  ...listOf(upload.listTraceUploads, listTraceUploadsIn),
  query(upload.summariseTraceUploads, uploadSummary),
  command(upload.resendTraceUpload, resend),
  query(upload.listTraceAccounts, async (ctx) => ({ items: await accountsIn(ctx) })),
  command(upload.putTraceAccount, putAccount),
]
