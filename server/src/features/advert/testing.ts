import { addCreative, approveCreative, beginUpload, sendPart, UPLOAD_PART_BYTES } from '@aisle/contract/advert/creative'
import type { Answer, HttpWorld } from '../../testing/http'

type As = { token: string }
const dataOf = (answer: Answer): Record<string, unknown> => answer.body.data as Record<string, unknown>

/** As a browser does: announced, then part by part. @returns the upload's id */
export async function upload(http: HttpWorld, file: Buffer, as: As): Promise<number> {
  const id = Number(dataOf(await http.call(beginUpload, { bytes: file.length }, as)).id)
  for (let at = 0; at < file.length; at += UPLOAD_PART_BYTES) {
    const dataBase64 = file.subarray(at, at + UPLOAD_PART_BYTES).toString('base64')
    await http.call(sendPart, { id, at, dataBase64 }, as)
  }
  return id
}

let made = 0

/** A picture or video of a file, approved by somebody else. */
export async function liveCreative(http: HttpWorld, file: Buffer, maker: As, reviewer: As): Promise<number> {
  made += 1
  const uploadId = await upload(http, file, maker)
  const said = { uploadId, name: `Creative ${made}`, advertised: 'goods', seconds: 10 }
  const id = Number(dataOf(await http.call(addCreative, said, maker)).id)
  await http.call(approveCreative, { id }, reviewer)
  return id
}
