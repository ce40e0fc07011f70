import { approveWriteOff, listWriteOffs, refuseWriteOff, writeOffBatches } from '@aisle/contract/stock/writeOff'
import { command, listOf, type Route } from '../../kernel/route'
import * as commands from './writeOff.commands'
import { listWriteOffsIn } from './writeOff.reads'

export const routes: Route[] = [
  ...listOf(listWriteOffs, listWriteOffsIn),
  command(writeOffBatches, commands.writeOff),
  command(approveWriteOff, commands.approve),
  command(refuseWriteOff, commands.turnDown),
]
