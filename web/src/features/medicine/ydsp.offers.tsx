import { listMedicines } from '@aisle/contract/medicine/medicine'
import * as contract from '@aisle/contract/medicine/offer'
import { refInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'

const offers = record({
  of: contract.medicineOffer,
  list: contract.listMedicineOffers,
  get: contract.getMedicineOffer,
  add: contract.addMedicineOffer,
  edit: contract.editMedicineOffer,
  moves: { stop: contract.stopMedicineOffer, resume: contract.resumeMedicineOffer },
  remove: contract.removeMedicineOffer,
  inputs: {
    productId: refInput({
      list: listMedicines,
      query: { state: 'online' },
      optionOf: ({ id, name, code, specification }) => ({ value: id, word: `${name} ${specification}`, note: code }),
    }),
  },
})

/** For a pharmacy's manager, weekly: which medicines, its own and of those above, it offers, and at which price. */
export default listPage({
  screen: 'ypgl/ydsp',
  ...offers.page({
    columns: [
      'productName',
      'productCode',
      'specification',
      'medicineClass',
      'priceFen',
      'ownerFen',
      'state',
      'ownerName',
      'merchantName',
    ],
    filters: ['q', 'medicineClass', 'state'],
    moreFilters: ['merchantId'],
    drawer: OfferDrawer,
  }),
})

function OfferDrawer({ id }: DrawerRow) {
  return (
    <offers.Drawer id={id} title={({ productName }) => productName} tags={['state', 'medicineClass']}>
      {(offer) => <offers.Known row={offer} without={['productName', 'productId', 'state', 'medicineClass']} />}
    </offers.Drawer>
  )
}
