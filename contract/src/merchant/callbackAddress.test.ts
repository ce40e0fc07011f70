import { expect, test } from 'vitest'
import { isPublicAddress, isPublicIp } from './callbackAddress'

test.each([
  'https://erp.example.com/api/orders',
  'http://8.8.8.8:8080/x?y=1',
  'https://[2606:4700:4700::1111]/',
  'https://中文.example.com/',
  'https://172.32.0.1/',
  'https://100.63.0.1/',
])('%s may be called', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  'not an address',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:secret@example.com/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://shop.localhost/',
  'http://intranet/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f.0.0.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[ff02::1]/',
])('%s leads into a private place', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ['93.184.216.34', true],
  ['10.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['2606:2800:220:1::', true],
  ['1.2.3', false],
  ['1.2.3.256', false],
  ['', false],
])('what a name resolves to is judged the same: %s %s', (ip, expected) => {
  expect(isPublicIp(ip)).toBe(expected)
})
