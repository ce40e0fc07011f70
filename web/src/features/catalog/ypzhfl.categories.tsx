import { categoriesPage } from './categoriesPage'

export default categoriesPage('ypgl/ypzhfl', 'combination')
