import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock } from '../machine/clock'
import { newBoot, seal } from './envelope'
import { openOutbox } from './outbox'
import { newFolder } from '../testing'

const open = (folder: string) => openOutbox({ folder, steadyMs: systemClock.steadyMs })

const boot = newBoot(systemClock.wallMs(), 0)
const message = (code = 'M1') =>
  seal(boot, systemClock.wallMs(), { code, timeZone: 'Asia/Shanghai', type: 'sale', data: { n: 1 }, offline: false })

test('pending messages come back in the order in which they were stored, with all that they said', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const messages = Array.from({ length: 50 }, () => message())
  for (const each of messages) void first.commit('M1', { put: [each] })
  await first.durable()
  first.settle('M1', [{ msgId: messages[7]!.msgId, state: 'processed' }])
  first.settle('M1', [{ msgId: messages[9]!.msgId, state: 'duplicate' }])
  await first.close()
  const second = await open(folder)
  const pending = [...second.pending('M1').values()]
  expect(pending.map((stored) => stored.message)).toEqual(messages.filter((_, i) => i !== 7 && i !== 9))
  expect(pending.every((stored) => stored.isDurable)).toBe(true)
  await second.close()
})

test('a message may not be sent before the disk has it', async () => {
  const outbox = await open(newFolder())
  const each = message()
  const done = outbox.commit('M1', { put: [each] })
  expect(outbox.pending('M1').get(each.msgId)?.isDurable).toBe(false)
  await done
  expect(outbox.pending('M1').get(each.msgId)?.isDurable).toBe(true)
  await outbox.close()
})

test('machines share the file and nothing else', async () => {
  const folder = newFolder()
  const outbox = await open(folder)
  const [one, two] = [message('M1'), message('M2')]
  await outbox.commit('M1', { put: [one], remember: { stopped: true, gone: 1 } })
  await outbox.commit('M2', { put: [two] })
  await outbox.commit('M1', { remember: { gone: null } })
  outbox.settle('M1', [{ msgId: two.msgId, state: 'processed' }])
  expect(outbox.count()).toBe(2)
  await outbox.close()
  const again = await open(folder)
  expect([...again.memory('M1')]).toEqual([['stopped', true]])
  expect([...again.memory('M2')]).toEqual([])
  await again.close()
})

test('refused and conflicting messages move to a file of their own', async () => {
  const folder = newFolder()
  const outbox = await open(folder)
  const [one, two] = [message(), message()]
  await outbox.commit('M1', { put: [one, two] })
  outbox.settle('M1', [
    { msgId: one.msgId, state: 'refused', reason: 'unknownSlot' },
    { msgId: two.msgId, state: 'conflict' },
  ])
  await outbox.close()
  const lines = readFileSync(join(folder, 'rejected.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([one, two])
  const again = await open(folder)
  expect(again.count()).toBe(0)
  await again.close()
})

/** Kills the child with SIGKILL once it has named so many; answers with all it named. */
function runAndKill(folder: string, afterLines: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL('./outbox.child.ts', import.meta.url))
    const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', file, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.split('\n').length > afterLines) child.kill('SIGKILL')
    })
    child.on('error', reject)
    child.on('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve(text.split('\n').slice(0, -1)) : reject(new Error('the child ended by itself')),
    )
  })
}

test('killed with -9 in the middle of writing, thrice, nothing that was called durable is missing', async () => {
  const folder = newFolder()
  const kept: string[] = []
  const gone: string[] = []
  for (const afterLines of [30, 200, 900]) {
    const lines = await runAndKill(folder, afterLines)
    expect(lines.length).toBeGreaterThanOrEqual(afterLines)
    for (const line of lines) {
      const [word, code, msgId] = line.split(' ')
      ;(word === 'kept' ? kept : gone).push(`${code} ${msgId}`)
    }
    // A write that the power cut in two.
    appendFileSync(join(folder, 'outbox.log'), '0badc0de {"m":"M1","pu')
  }
  const outbox = await open(folder)
  const found = ['M1', 'M2', 'M3'].flatMap((code) =>
    [...outbox.pending(code).keys()].map((msgId) => `${code} ${msgId}`),
  )
  expect(found).toEqual(expect.arrayContaining(kept))
  expect(found.filter((each) => gone.includes(each))).toEqual([])
  expect(outbox.damagedLines).toBe(0)
  for (const code of ['M1', 'M2']) {
    expect(outbox.memory(code).get('last')).toBe([...outbox.pending(code).keys()].at(-1))
  }
  await outbox.close()
}, 30_000)
