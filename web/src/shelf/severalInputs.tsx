import { listProducts } from '@aisle/contract/catalog/product'
import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listMachines } from '@aisle/contract/fleet/machine'
import { severalInput } from '../admin/form/severalInput'

type Known = readonly { id: number; name: string }[]
const wordsOf = (known: Known) => Object.fromEntries(known.map(({ id, name }) => [id, name]))

export const machinesInput = (known: Known = []) =>
  severalInput(
    listMachines,
    ({ id, code, name, pointName }) => ({ value: id, word: `${code} ${name}`, note: pointName }),
    wordsOf(known),
  )

export const groupsInput = (known: Known = []) =>
  severalInput(
    listMachineGroups,
    ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
    wordsOf(known),
  )

export const productsInput = (known: Known = []) =>
  severalInput(
    listProducts,
    ({ id, name, code, specification }) => ({ value: id, word: name, note: `${code} ${specification}` }),
    wordsOf(known),
  )
