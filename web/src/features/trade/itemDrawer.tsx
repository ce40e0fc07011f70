import { orderIdOf } from '@aisle/contract/trade/item'
import type { DrawerRow } from '../../admin/rowDrawer'
import { OrderDrawer } from './orderDrawer'

/** A piece is read in the story of its order. */
export const ItemDrawer = ({ id, ...row }: DrawerRow) => <OrderDrawer {...row} id={orderIdOf(id)} />
