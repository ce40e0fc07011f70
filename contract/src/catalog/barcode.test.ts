import { expect, test } from 'vitest'
import { isBarcode } from './barcode'

test.each([
  ['6901028075763', true],
  ['6901028075764', false],
  ['6901028057763', false],
  ['96385074', true],
  ['96385075', false],
  ['036000291452', true],
  ['16901028075760', true],
  ['6901028O75763', false],
  ['690102807576', false],
  ['', false],
])('%s is a barcode: %s', (code, is) => expect(isBarcode(code)).toBe(is))
