import { categoriesPage } from './categoriesPage'

export default categoriesPage('ypgl/ypfl', 'medicine')
