import { spawnSync } from 'node:child_process'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import type { Envelope } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getBoard } from '@aisle/contract/wallboard/board'
import type { Device } from '../../../fleet/src/link/client'
import type { RunningServer } from './harness'
import { cashSale, type Slot } from './machines'

/** Sales that a machine has told of and heard nothing about yet, by message. */
export type Unacked = Map<string, Envelope>

/** Tells of new sales by these numbers, over what may break, and of everything that is still unanswered. */
export function tell(device: Device, slot: Slot, unacked: Unacked, orderNos: readonly string[]): void {
  for (const message of unacked.values()) say(device, message)
  for (const orderNo of orderNos) {
    const message = device.compose('sale', cashSale(slot, orderNo))
    unacked.set(message.msgId, message)
    say(device, message)
  }
}

/** Into a connection that may break: what is not acknowledged is said again after the next one. */
const say = (device: Device, message: Envelope) =>
  void device.publish(upTopic(device.code, 'sale'), JSON.stringify(message)).catch(() => undefined)

/** Takes acknowledgements until `count` messages are no longer waiting for theirs. */
export async function settle(device: Device, unacked: Unacked, count: number, withinMs = 30_000): Promise<void> {
  const wanted = [...unacked.keys()].slice(0, count)
  for (const msgId of wanted) {
    const ack = await device.acked(msgId, withinMs)
    expect(['processed', 'duplicate']).toContain(ack.state)
    unacked.delete(msgId)
  }
}

/**
 * All sales ever, as the platform's open wallboard counts them. Asked over a connection of its own: one that has been
 * idle since the last kill may be closed by the server in the moment in which it is used again.
 */
export async function counted(server: RunningServer): Promise<number> {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    get(`${server.url}/api/wallboard`, { agent: false }, done).on('error', fail)
  })
  const { data } = (await json(answer)) as { data: OutputOf<typeof getBoard> }
  return data.figures.allTransactionsNumberSum
}

/** `npm run verify` on the server's database. @returns what it says */
export function verify(server: RunningServer): string {
  const checked = spawnSync('npm', ['run', '--silent', 'verify'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, DATA_DIR: server.place.dataDir },
    encoding: 'utf8',
  })
  return checked.stdout.trim()
}
