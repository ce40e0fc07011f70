import { categoriesPage } from './categoriesPage'

export default categoriesPage('spgl/spfl', 'goods')
