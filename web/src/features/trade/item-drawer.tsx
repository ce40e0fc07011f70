import { orderIdOf } from '@aisle/contract/trade/item'
import type { DrawerRow } from '../../admin/RowDrawer'
import { OrderDrawer } from './order-drawer'

/** A piece is read in the story of its order. */
export const ItemDrawer = ({ id, ...row }: DrawerRow) => <OrderDrawer {...row} id={orderIdOf(id)} />
