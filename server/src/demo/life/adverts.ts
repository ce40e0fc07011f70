import { addBooking } from '@aisle/contract/advert/booking'
import { addCreative, approveCreative, beginUpload, sendPart } from '@aisle/contract/advert/creative'
import { loadSharp } from '../../kernel/files/sharp'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { catalogue } from '../network/catalogue'
import { drawPicture } from '../shapes/picture'
import type { Past } from './within'

const WIDE = 1_080

/** What an operator sells of its screens: two advertisers with a picture each, and one that waits for its review. */
export async function sellScreens(past: Past): Promise<void> {
  const today = businessTime(new Date(past.latestMs), PLATFORM_TIME_ZONE).day
  const water = await addPicture(past, '山泉水上新', 'water')
  const snacks = await addPicture(past, '下午茶零食', 'bar')
  await addPicture(past, '雨天备一把伞', 'umbrella', false)
  const common = { startsOn: addDays(today, -2), endsOn: addDays(today, 28), fromHour: 0, toHour: 24 }
  await past.as('merchant', addBooking, {
    ...common,
    name: '山泉水开年',
    advertiser: '江南山泉饮品',
    contractNo: 'GG-2601',
    creativeIds: [water],
    playsPerHour: 30,
    priceKind: 'play',
    priceFen: 2,
  })
  await past.as('merchant', addBooking, {
    ...common,
    name: '下午茶时段',
    advertiser: '麦香食品',
    contractNo: 'GG-2602',
    creativeIds: [snacks],
    fromHour: 9,
    toHour: 21,
    playsPerHour: 20,
    priority: 3,
    priceKind: 'machine_day',
    priceFen: 600,
  })
}

async function addPicture(past: Past, name: string, shape: string, isReviewed = true): Promise<number> {
  const { as } = past
  const file = await draw(shape)
  const upload = await as('merchant', beginUpload, { bytes: file.length })
  await as('merchant', sendPart, { id: upload.id, at: 0, dataBase64: file.toString('base64') })
  const { id } = await as('merchant', addCreative, { uploadId: upload.id, name, advertised: 'goods', seconds: 10 })
  if (isReviewed) await as('admin', approveCreative, { id })
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
