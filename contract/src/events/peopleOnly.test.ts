import { expect, test } from 'vitest'
import { endpoints } from '../endpoints'
import { permissionOf } from '../permissions'
import { everybodysCalls, isOpenToKeys, peoplesCalls, peoplesPermissions } from './peopleOnly'

const names = new Map(endpoints.map((each) => [each.name, each]))

test('what only people may do is there, and none of it stands here twice', () => {
  expect([...peoplesPermissions].filter((code) => !permissionOf(code))).toEqual([])
  expect([...peoplesCalls, ...everybodysCalls].filter((name) => !names.has(name))).toEqual([])
  expect([...peoplesCalls].filter((name) => peoplesPermissions.has(names.get(name)?.access ?? ''))).toEqual([])
  expect([...everybodysCalls].filter((name) => names.get(name)?.access !== 'session')).toEqual([])
})

/** Said where the one who asked, or looked first, is not the one who may decide. */
const ofTwo = /\.(samePerson|secondMissing|payBackOwn|own(Request|Work|Claim|Count|Decision|Difference|Reversal))$/
const ofOneself = /^(application|topUp|account|prescription|library)\.own$/

test('where four eyes are the point, no key may call', () => {
  const seen = endpoints.filter(({ refusals }) => refusals.some((code) => ofTwo.test(code) || ofOneself.test(code)))
  expect(seen.length).toBeGreaterThan(30)
  expect(seen.filter((each) => each.access !== 'public' && isOpenToKeys(each)).map(({ name }) => name)).toEqual([])
})

test('what is about a person themselves, who may what, and what answers a secret, is not for keys', () => {
  const own = [
    'identity.changeOwnPassword',
    'identity.signOut',
    'rights.switchRole',
    'rights.viewAs',
    'home.getArrangement',
  ]
  const secrets = ['events.addWebhook', 'merchant.rotateIntegrationSecret', 'fleet.rotateSecret', 'events.addApiKey']
  const open = [...own, ...secrets, 'people.addUser', 'funds.applyWithdrawal'].filter((name) => {
    const endpoint = names.get(name)
    return !endpoint || isOpenToKeys(endpoint)
  })
  expect(open).toEqual([])
})

test('most of what people may do, a key may do', () => {
  const asked = endpoints.filter(({ access }) => access.includes('.'))
  expect(asked.filter(isOpenToKeys).length / asked.length).toBeGreaterThan(0.75)
})
