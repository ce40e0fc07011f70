import { expect, test } from 'vitest'
import { videoOf } from './media.rules'
import { mp4, webm } from './media.testing'

const read = (file: Buffer) => videoOf((at, length) => file.subarray(at, at + length), file.length)
const portrait = { media: 'mp4', width: 1_080, height: 1_920 }

test.each([
  ['a video whose frame stands behind', mp4({ seconds: 15 }), { ...portrait, seconds: 15 }],
  ['a video whose frame stands before', mp4({ seconds: 30, moovFirst: true }), { ...portrait, seconds: 30 }],
  ['a webm', webm(12), { media: 'webm', seconds: 12, width: 1_280, height: 720 }],
  ['a webm that says no length', webm(null), 'noLength'],
  ['a video of no seconds', mp4({ seconds: 0 }), 'noLength'],
  ['another matroska', webm(12, 'matroska'), 'notMedia'],
  ['sound alone', mp4({ handler: 'soun' }), 'notMedia'],
  ['a zip', Buffer.from('PK\u0003\u0004 and so on', 'latin1'), 'notMedia'],
  ['nothing', Buffer.alloc(0), 'notMedia'],
  ['the sign of a video and nothing else', mp4().subarray(0, 20), 'broken'],
  ['a video without its frame', mp4().subarray(0, 24 + 1_008), 'broken'],
  ['a cut video that players would begin', mp4({ moovFirst: true }).subarray(0, -1), 'broken'],
  ['a cut webm', webm(12).subarray(0, -1), 'broken'],
  ['a last box that says no length', Buffer.concat([mp4(), Buffer.alloc(8)]), { ...portrait, seconds: 15 }],
])('%s', (_, file, expected) => {
  expect(read(file)).toEqual(expected)
})

test('whatever stands in it, reading ends', () => {
  for (let at = 0; at < 400; at += 1) {
    const file = Buffer.from(at % 2 ? mp4() : webm())
    for (let i = 0; i < 6; i += 1) file[(at * 7919 + i * 104729) % file.length] = (at * 31 + i * 17) % 256
    expect(() => read(file)).not.toThrow()
  }
})
