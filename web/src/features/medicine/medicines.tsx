import * as contract from '@aisle/contract/medicine/medicine'
import { ScreenLinks } from '../../admin/fields/ref'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { medicineGroups, medicineInputs } from './medicineForm'

const medicines = record({
  of: contract.medicine,
  list: contract.listMedicines,
  get: contract.getMedicine,
  add: contract.addMedicine,
  edit: contract.editMedicine,
  moves: { takeOffline: contract.takeOffline, relist: contract.relist },
  remove: contract.removeMedicine,
  inputs: medicineInputs,
  groups: medicineGroups,
  isUnused: ({ slotCount }) => slotCount === 0,
})

const inHead = ['state', 'medicineClass', 'limitGroup'] as const

/** What it is; where it lies, what it sold and its batches are one press away. */
function MedicineDrawer({ id }: DrawerRow) {
  return (
    <medicines.Drawer id={id} tags={inHead}>
      {(row) => (
        <>
          <ScreenLinks
            to={[
              ['spgl/wdsp', { open: String(row.id) }],
              ['ypgl/yppc', { productCode: row.code }],
            ]}
          />
          <medicines.Known row={row} without={inHead} />
        </>
      )}
    </medicines.Drawer>
  )
}

/** For pharmacists and merchandisers, daily: what each medicine is, where it may be sold, and where it stands. */
export const medicineList = medicines.page({
  columns: [
    'name',
    'medicineClass',
    'specification',
    'dosageFormName',
    'manufacturer',
    'approvalNumber',
    'storage',
    'limitGroup',
    'priceFen',
    'slotCount',
    'stock',
    'state',
    'merchantName',
  ],
  drawer: MedicineDrawer,
  sortable: { priceFen: 'price' },
  filters: ['q', 'medicineClass', 'state'],
  moreFilters: ['storage', 'limitGroup', 'merchantId'],
})
