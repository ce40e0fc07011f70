import {
  cancelBatch,
  getBatch,
  listBatches,
  previewBatch,
  retryBatch,
  sendBatch,
  sendToMachines,
} from '@aisle/contract/device/batch'
import { cancelCommand, getCommand, listCommands, sendCommand } from '@aisle/contract/device/command'
import {
  concludeRemoteShip,
  getRemoteShip,
  listRemoteShips,
  previewRemoteShip,
  remoteShip,
} from '@aisle/contract/device/remoteShip'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import * as batch from './batch.commands'
import * as batches from './batch.store'
import { cancel, send } from './command.commands'
import * as commands from './command.reads'
import * as ship from '../sale/remoteShip.commands'
import * as ships from '../sale/remoteShip.reads'

export const routes: Route[] = [
  ...listOf(listCommands, (ctx, input) => commands.listCommandsIn(sightOf(ctx.actor), input)),
  query(getCommand, async (ctx, { id }) => existing(await commands.findCommandDetail(ctx.db, sightOf(ctx.actor), id))),
  command(cancelCommand, cancel),
  command(sendCommand, send),
  query(previewBatch, batch.preview),
  command(sendBatch, batch.send),
  command(sendToMachines, batch.sendToRows),
  ...listOf(listBatches, (ctx, input) => batches.listBatchesIn(sightOf(ctx.actor), input)),
  query(getBatch, async (ctx, { id }) =>
    existing(await batches.findCommandBatchDetail(ctx.db, sightOf(ctx.actor), id)),
  ),
  command(retryBatch, batch.retry),
  command(cancelBatch, batch.cancelRest),
  ...listOf(listRemoteShips, (ctx, input) => ships.listRemoteShipsIn(sightOf(ctx.actor), input)),
  query(getRemoteShip, async (ctx, { id }) =>
    existing(await ships.findRemoteShipDetail(ctx.db, sightOf(ctx.actor), id)),
  ),
  query(previewRemoteShip, ship.preview),
  command(remoteShip, ship.shipOne),
  command(concludeRemoteShip, ship.conclude),
]
