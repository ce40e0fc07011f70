import { drawn } from '../../../admin/form/shrink'

const LONGEST = 1280
const QUALITIES = [0.8, 0.6, 0.4]
/** Below what the server takes (specification §9). */
const MOST_BYTES = 480 * 1024

/** A photograph small enough to be sent over a poor network. */
export async function shrunk(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file)
  let smallest: Blob | null = null
  for (const quality of QUALITIES) {
    smallest = await drawn(image, LONGEST, 'image/jpeg', quality)
    if (smallest && smallest.size <= MOST_BYTES) break
  }
  image.close()
  if (!smallest) throw new Error('the photograph could not be drawn')
  return smallest
}
