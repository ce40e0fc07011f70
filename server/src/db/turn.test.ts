import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from './testing'
import { takeTurns } from './turn'

let url: string
let drop: () => Promise<void>
let wire: Server
const sockets: Socket[] = []

beforeAll(async () => {
  ;({ url, drop } = await freshDatabase())
  const { port, hostname } = new URL(url)
  wire = createServer((near) => {
    const far = connect(Number(port), hostname)
    sockets.push(near, far)
    near.on('error', () => undefined).on('data', (piece) => void far.write(piece))
    far.on('error', () => undefined).on('data', (piece) => void near.write(piece))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((done) => wire.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  wire.close()
  await drop()
})

test('one that is cut off without a word loses its turn, knows it, and another has it', async () => {
  const through = new URL(url)
  const at = wire.address()
  through.port = String(typeof at === 'object' && at ? at.port : 0)
  const events: string[] = []
  const turn = (who: string) => ({
    taken: () => events.push(`${who} takes it`),
    lost: () => events.push(`${who} has lost it`),
  })
  const first = takeTurns(through.href, 77, turn('first'))
  await expect.poll(() => events).toEqual(['first takes it'])
  const second = takeTurns(url, 77, turn('second'))
  for (const socket of sockets) socket.pause()
  await expect.poll(() => [...events].sort()).toEqual(['first has lost it', 'first takes it', 'second takes it'])
  await second.stop()
  await first.stop()
  for (const socket of sockets) socket.destroy()
})
