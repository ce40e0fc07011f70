import { listPage } from '../../../admin/listPage'
import { hospitalList } from './hospitals'

export default listPage({ screen: 'shgl/yylb', ...hospitalList })
