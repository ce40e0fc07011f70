import { Picture } from '../../ui/picture'
import type { CellProps, Kind } from './kind'

const ImageCell = ({ value }: CellProps) => <Picture src={typeof value === 'string' ? value : null} size={32} />

export const imageKind: Kind = { Cell: ImageCell, place: 'line' }
