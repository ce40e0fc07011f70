import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder, openTestServer, plan } from './testing'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

function start(url: string, dataDir: string, input: 'ignore' | 'pipe') {
  const args = ['--import', 'tsx', main, '--data-dir', dataDir, '--file', join(dataDir, 'fleet.json'), '--url', url]
  const child = spawn(process.execPath, args, { stdio: [input, 'pipe', 'inherit'] })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<{ code: number | null; events: string[] }>((resolve) => {
    child.on('close', (code) => {
      const events = output.trim().split('\n')
      resolve({ code, events: events.map((line) => String(JSON.parse(line).event)) })
    })
  })
  return { child, ended }
}

test('the program waits for its file, signs all machines in, and leaves when told or orphaned', async () => {
  const server = await openTestServer()
  const dataDir = newFolder()
  const told = start(server.url, dataDir, 'ignore')
  const machines = ['M1001', 'M1002', 'M1003'].map((code) => plan({ code }))
  writeFileSync(join(dataDir, 'fleet.json'), JSON.stringify({ machines }))
  for (const { code } of machines) await server.next('presence', (message) => message.machineId === code)
  told.child.kill('SIGTERM')
  expect(await told.ended).toEqual({ code: 0, events: ['started', 'stopped'] })
  const orphaned = start(server.url, dataDir, 'pipe')
  for (const { code } of machines) {
    await server.next('presence', ({ machineId, data }) => machineId === code && data.online === true)
  }
  orphaned.child.stdin?.end()
  expect(await orphaned.ended).toEqual({ code: 0, events: ['started', 'stopped'] })
  const goodbyes = server.ofType('presence').filter(({ data }) => data.online === false)
  expect(goodbyes.every(({ data, seq }) => data.reason === 'switched off' && seq > 0)).toBe(true)
  expect(goodbyes.length).toBe(6)
  await server.stop()
}, 30_000)
