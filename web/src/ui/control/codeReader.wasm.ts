import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeReader } from './codeReader'

/** Of all formats together one is now and then invented where another stands. */
const options: ReaderOptions = {
  formats: ['EAN13', 'EAN8', 'Code128', 'DataMatrix', 'QRCode'],
  maxNumberOfSymbols: 1,
}

export async function openReader(): Promise<CodeReader> {
  // From our own server; the library's own address is a stranger's.
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (image) => {
    const { videoWidth: width, videoHeight: height } = image
    if (!context || width === 0 || height === 0) return null
    Object.assign(canvas, { width, height })
    context.drawImage(image, 0, 0)
    const [found] = await readBarcodes(context.getImageData(0, 0, width, height), options)
    return found?.isValid ? found.text : null
  }
}
