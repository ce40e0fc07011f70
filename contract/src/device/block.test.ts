import { commandState, commandTypes, type CommandType } from './commands'
import { dataOf, sendableTypes } from './sendable'
import { expect, test } from 'vitest'
import { blockOf, type Target } from './block'

const fine: Target = {
  isRetired: false,
  connection: 'online',
  operation: 'in_operation',
  owesOperation: false,
  isUnlicensed: false,
}

const cases: [CommandType, Partial<Target>, ReturnType<typeof blockOf>][] = [
  ['restart_app', {}, null],
  ['restart_app', { isRetired: true }, 'retired'],
  ['restart_app', { connection: 'offline' }, 'offline'],
  ['open_door', { connection: 'unknown' }, 'offline'],
  ['upload_log', { connection: 'offline' }, null],
  ['set_volume_or_screen', { connection: 'offline' }, null],
  ['stop_sale', { connection: 'offline' }, null],
  ['stop_sale', { operation: 'stopped' }, 'already'],
  ['stop_sale', { operation: 'stopped', owesOperation: true }, null],
  ['resume_sale', {}, 'already'],
  ['resume_sale', { owesOperation: true }, null],
  ['resume_sale', { operation: 'stopped' }, null],
  ['resume_sale', { operation: 'stopped', isUnlicensed: true }, 'unlawful'],
  ['stop_sale', { isUnlicensed: true }, null],
]
test.each(cases)('%s to a machine with %j: %s', (type, facts, block) => {
  expect(blockOf(type, { ...fine, ...facts })).toBe(block)
})

test('each command takes what is its own and nothing else', () => {
  expect(dataOf('upload_log', {})).toEqual({ hours: 24 })
  expect(dataOf('set_volume_or_screen', { volume: 0, hours: 3 })).toEqual({ volume: 0 })
  expect(dataOf('set_volume_or_screen', {})).toBeNull()
  expect(dataOf('reboot', { hours: 3 })).toEqual({})
})

test('every state of a command is reached, and what people send is a command', () => {
  expect(commandState.unreachable()).toEqual([])
  expect(sendableTypes.filter((type) => !commandTypes.includes(type))).toEqual([])
})
