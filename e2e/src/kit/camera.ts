import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

/**
 * Holds that text before the camera of the page, as a Code 128 like those on packs of medicines. The browser of the
 * tests has no camera, so what it would film is drawn; that it is read is the application's own doing.
 */
export async function holdUp(page: Page, text: string): Promise<void> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
  const { svg } = await writeBarcode(text, { format: 'Code128', scale: 3 })
  await page.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(source)}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
    const context = canvas.getContext('2d')
    const draw = () => {
      if (!context) return
      context.fillStyle = '#fff'
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.drawImage(image, 300, 200)
    }
    setInterval(draw, 100)
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(10))
  }, svg)
}
