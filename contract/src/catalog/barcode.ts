/** EAN-8, UPC-A, EAN-13 and GTIN-14 end with a digit that the others give (GS1 General Specifications, 7.9). */
export function isBarcode(code: string): boolean {
  if (!/^([0-9]{8}|[0-9]{12,14})$/.test(code)) return false
  const digits = [...code].reverse().map(Number)
  return digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
}
