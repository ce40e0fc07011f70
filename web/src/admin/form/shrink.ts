import { LONGEST_SIDE, MAX_PICTURE_BYTES } from '@aisle/contract/system/picture'

/** From what the server would keep of it anyway down to what still shows a document. */
const sides = [LONGEST_SIDE, 1_600, 1_200, 800]
const QUALITY = 0.85

/**
 * A picture as a phone takes it, made small enough to be sent: upright, no larger than the server keeps it. What is
 * small already stays as it is. @returns null for what the browser can't show, or can't make small enough
 */
export async function shrunk(file: File, longestSide: number = LONGEST_SIDE): Promise<Blob | null> {
  const isSmall = file.size <= MAX_PICTURE_BYTES
  const picture = await createImageBitmap(file).catch(() => null)
  // What is broken is said by the server.
  if (!picture) return isSmall ? file : null
  try {
    if (isSmall && Math.max(picture.width, picture.height) <= longestSide) return file
    for (const side of sides.filter((each, at) => at === 0 || each < longestSide)) {
      for (const type of new Set([file.type, 'image/jpeg'])) {
        const made = await drawn(picture, Math.min(side, longestSide), type)
        if (made && made.size <= MAX_PICTURE_BYTES) return made
      }
    }
    return null
  } finally {
    picture.close()
  }
}

/** No side longer than `side`. @returns null where the browser can't draw it */
export function drawn(picture: ImageBitmap, side: number, type: string, quality = QUALITY): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  if (type === 'image/jpeg') {
    // A JPEG has no see-through parts: they would turn black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => canvas.toBlob(done, type, quality))
}
