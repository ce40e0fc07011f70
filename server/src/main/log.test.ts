import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { logOptions } from './log'

test('a failed statement is logged without the row it failed on', () => {
  const lines: string[] = []
  const log = pino(
    logOptions('info'),
    new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }),
  )
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (phone)=(13800000000)' })
  for (const key of ['err', 'error']) log.error({ [key]: new Error('not saved', { cause }) }, 'bug')
  for (const line of lines) {
    expect(line).toContain('23505')
    expect(line).toContain('not saved')
    expect(line).not.toContain('13800000000')
  }
  expect(lines).toHaveLength(2)
})
