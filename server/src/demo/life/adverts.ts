import { addBooking } from '@aisle/contract/advert/booking'
import { addCreative, approveCreative, beginUpload, sendPart } from '@aisle/contract/advert/creative'
import { loadSharp } from '../../kernel/files/sharp'
import { bookings } from '../data/promotions'
import { catalogue } from '../network/catalogue'
import { drawPicture } from '../shapes/picture'
import type { Past } from './within'

const WIDE = 1_080

/** Two advertisers with a picture each, and a picture that waits for its review. */
export async function sellScreens(past: Past): Promise<void> {
  const { as, day } = past
  for (const { shape, creative, ...booking } of bookings) {
    const creativeId = await addPicture(past, creative, shape)
    await as('admin', approveCreative, { id: creativeId })
    const days = { startsOn: day(-2), endsOn: day(28) }
    await as('merchant', addBooking, { ...booking, ...days, creativeIds: [creativeId] })
  }
  await addPicture(past, '雨天备一把伞', 'umbrella')
}

async function addPicture({ as }: Past, name: string, shape: string): Promise<number> {
  const file = await draw(shape)
  const upload = await as('merchant', beginUpload, { bytes: file.length })
  await as('merchant', sendPart, { id: upload.id, at: 0, dataBase64: file.toString('base64') })
  const { id } = await as('merchant', addCreative, { uploadId: upload.id, name, advertised: 'goods', seconds: 10 })
  return id
}

async function draw(shape: string): Promise<Buffer> {
  const product = catalogue.find((each) => each.shape === shape) ?? catalogue[0]
  if (!product) throw new Error('a catalogue without products')
  const sharp = await loadSharp()
  return sharp(Buffer.from(drawPicture(product.shape, product.paint)))
    .resize({ width: WIDE })
    .png({ palette: true })
    .toBuffer()
}
