import { listPage } from '../../admin/listPage'
import { hospitalList } from './hospital-list'

export default listPage({ screen: 'shgl/yylb', ...hospitalList })
