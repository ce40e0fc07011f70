import { z } from 'zod'
import { codedNameField, medicineClasses } from '../catalog/product'
import { productState } from '../catalog/states'
import { zAnyOf, zId, zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const offerRefusals = defineRefusals('medicine', {
  'offer.taken': 409,
  'offer.state': 409,
  'offer.notOfLine': 422,
})

/**
 * What a pharmacy says of a medicine of its own or of a merchant above: its price, and whether it is on its shelf. One
 * without a word of the pharmacy is offered as its owner does.
 */
export const medicineOffer = entity({
  domain: 'medicine',
  kind: 'medicineOffer',
  path: '/api/medicine-offers',
  right: 'medicine',
  owner: 'merchant',
  fixed: { productId: zId },
  editable: {
    /** Left out: what its owner asks. */
    priceFen: z.coerce.number().int().min(1).max(10_000_000).nullable().default(null),
    remark: zLine(200).default(''),
  },
  facts: {
    productName: z.string(),
    productCode: z.string(),
    specification: z.string(),
    medicineClass: z.enum(medicineClasses),
    ownerName: z.string(),
    ownerFen: z.int(),
    ownerState: z.enum(productState.states),
  },
  show: {
    priceFen: { kind: 'money' },
    ownerFen: { kind: 'money' },
    remark: { kind: 'longText' },
    medicineClass: { kind: 'state', words: 'medicineClass', tones: { rx: 'warn' } },
    ownerState: { kind: 'state', words: 'medicineState', tones: { offline: 'idle' } },
    productName: codedNameField,
  },
  states: { table: onOff, tones: onOffTones, refusal: 'offer.state' },
  unique: { medicine_offer_merchant_id_product_id_key: 'offer.taken' },
  filters: {
    q: zSearch.optional(),
    merchantId: zId.optional(),
    medicineClass: zAnyOf(medicineClasses).optional(),
    state: z.enum(onOff.states).optional(),
  },
  sorts: ['newest'],
})

export const listMedicineOffers = medicineOffer.list('What pharmacies in sight offer, at which price')
export const getMedicineOffer = medicineOffer.get('One medicine as a pharmacy offers it', {})
export const addMedicineOffer = medicineOffer.add('Offer a medicine at a price of one’s own', ['offer.notOfLine'])
export const editMedicineOffer = medicineOffer.edit('Change the price at which a pharmacy offers a medicine')
export const stopMedicineOffer = medicineOffer.move('stop', 'Take a medicine off the shelf of a pharmacy')
export const resumeMedicineOffer = medicineOffer.move('resume', 'Put a medicine on the shelf of a pharmacy again')
export const removeMedicineOffer = medicineOffer.remove('Offer a medicine as its owner does again', [])
