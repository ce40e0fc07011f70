import type { Page } from '@playwright/test'

/** Exif that says of a picture: turn me a quarter to the right. */
const TURNED = Buffer.from(
  'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100060000' + '00000000',
  'hex',
)

/** A photo as a phone takes it: 12 megapixels, several megabytes, lying on its side with a word that says so. */
export async function phonePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const noise = new ImageData(1_000, 750)
    for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 === 3 ? 255 : (at * 7_919) % 251
    const small = await createImageBitmap(noise)
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [4_000, 3_000]
    canvas.getContext('2d')?.drawImage(small, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? ''
  })
  const file = Buffer.from(base64, 'base64')
  return Buffer.concat([file.subarray(0, 2), TURNED, file.subarray(2)])
}
