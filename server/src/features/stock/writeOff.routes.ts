import * as contract from '@aisle/contract/stock/writeOff'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as commands from './writeOff.commands'
import { findWriteOff, listLyingGoodsIn, listWriteOffsIn } from './writeOff.reads'

export const routes: Route[] = [
  ...listOf(contract.listWriteOffs, listWriteOffsIn),
  ...listOf(contract.listLyingGoods, listLyingGoodsIn),
  query(contract.getWriteOff, findWriteOff),
  command(contract.writeOffBatches, commands.writeOff),
  command(contract.writeOffGoods, commands.writeOffPieces),
  command(contract.writeOffWholeBatch, commands.writeOffAll),
  command(contract.approveWriteOff, commands.approve),
  command(contract.refuseWriteOff, commands.turnDown),
  command(contract.reverseWriteOff, commands.reverse),
]
