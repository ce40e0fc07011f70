import { expect, test } from 'vitest'
import { followFor } from './follow.rules'

const wechat = { name: 'W', link: 'https://m.example.com/w/{code}', platform: 'wechat_account' } as const
const alipay = { name: 'A', link: 'https://m.example.com/a', platform: 'alipay_life' } as const

test.each([
  ['nobody to follow', [], 'wechat', undefined],
  ['of the wallet', [wechat, alipay], 'alipay', { name: 'A', url: 'https://m.example.com/a' }],
  ['of another wallet', [wechat], 'unionpay', { name: 'W', url: 'https://m.example.com/w/100023' }],
  ['with the code of the machine', [alipay, wechat], 'wechat', { name: 'W', url: 'https://m.example.com/w/100023' }],
] as const)('%s', (_, accounts, method, expected) => {
  expect(followFor(accounts, method, '100023')).toEqual(expected)
})
