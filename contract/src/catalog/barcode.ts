/** EAN-8, UPC-A, EAN-13 or GTIN-14. */
const FORM = /^([0-9]{8}|[0-9]{12,14})$/

/** They end with a digit that the others give (GS1 General Specifications, 7.9). */
export const isBarcode = (code: string): boolean => FORM.test(code) && checkDigitOf(code) === Number(code.at(-1))

/** What the last digit has to be; null for what has not the form of a barcode. */
export function checkDigitOf(code: string): number | null {
  if (!FORM.test(code)) return null
  const digits = code.slice(0, -1).split('').reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** Numbers that a shop gives itself (GS1 prefixes 20 to 29); behind the first digit of a GTIN-14 stands its pack. */
export const isInHouse = (code: string): boolean => (code.length === 14 ? code.slice(1) : code).startsWith('2')
