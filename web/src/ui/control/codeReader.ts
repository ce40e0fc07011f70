/** Reads the codes that a picture shows; resolves to null where there is none. */
export type CodeReader = (image: HTMLVideoElement) => Promise<string | null>

type Native = new (options: {
  formats: string[]
}) => {
  detect: (image: HTMLVideoElement) => Promise<{ rawValue: string }[]>
}

let reader: Promise<CodeReader> | undefined

/** The browser's own reader where it has one; elsewhere (iPhones among others) one that comes with its first use. */
export function codeReader(): Promise<CodeReader> {
  reader ??= openReader().catch((cause: unknown) => {
    reader = undefined
    throw cause
  })
  return reader
}

async function openReader(): Promise<CodeReader> {
  const Own = (globalThis as { BarcodeDetector?: Native }).BarcodeDetector
  if (!Own) return (await import('./codeReader.wasm')).openReader()
  const own = new Own({ formats: ['ean_13', 'ean_8', 'code_128', 'data_matrix', 'qr_code'] })
  return async (image) => (await own.detect(image))[0]?.rawValue ?? null
}
