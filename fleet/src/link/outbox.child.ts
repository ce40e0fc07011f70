import { systemClock } from '../machine/clock'
import { newBoot, seal } from './envelope'
import { openOutbox } from './outbox'

/**
 * Stores messages as fast as it can and names each on its output once it is durable, until it is killed. Every third
 * message is acknowledged first, which is said on the output only after it was stored, too.
 */
const outbox = await openOutbox({ folder: process.argv[2]!, steadyMs: systemClock.steadyMs, compactAtBytes: 20_000 })
const boot = newBoot(systemClock.wallMs(), systemClock.steadyMs())
for (;;) {
  const wishes = ['M1', 'M2', 'M3'].map((code) => {
    const data = { orderNo: `${boot.id}-${boot.seq}`, note: '😀'.repeat(20) }
    const facts = { code, timeZone: 'Asia/Shanghai', type: 'sale', data, offline: false }
    return { code, message: seal(boot, systemClock.wallMs(), facts) }
  })
  await Promise.all(
    wishes.map(({ code, message }) => outbox.commit(code, { put: [message], remember: { last: message.msgId } })),
  )
  const settled = wishes[2]!
  outbox.settle(settled.code, [{ msgId: settled.message.msgId, state: 'processed' }])
  await outbox.durable()
  const lines = wishes.map(
    ({ code, message }) => `${code === settled.code ? 'gone' : 'kept'} ${code} ${message.msgId}\n`,
  )
  process.stdout.write(lines.join(''))
}
