import { expect, test } from 'vitest'
import { checkDigitOf, isBarcode } from './barcode'

test.each([
  ['6901028075763', 3],
  ['6901028075764', 3],
  ['6901028057763', 9],
  ['96385074', 4],
  ['96385075', 4],
  ['036000291452', 2],
  ['16901028075760', 0],
  ['6901028O75763', null],
  ['690102807576', 9],
  ['69010280757', null],
  ['', null],
])('the last digit of %s has to be %s', (code, digit) => {
  expect(checkDigitOf(code)).toBe(digit)
  expect(isBarcode(code)).toBe(digit !== null && code.endsWith(String(digit)))
})
