import {
  callBackTransfer,
  getTransfer,
  listTransfers,
  receiveTransfer,
  sendTransfer,
} from '@aisle/contract/stock/transfer'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as commands from './transfer.commands'
import { findTransfer, listTransfersIn } from './transfer.reads'

export const routes: Route[] = [
  ...listOf(listTransfers, listTransfersIn),
  query(getTransfer, findTransfer),
  command(sendTransfer, commands.send),
  command(receiveTransfer, commands.receive),
  command(callBackTransfer, commands.callBack),
]
