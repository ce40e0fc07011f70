import { categoriesPage } from './categoriesPage'

export default categoriesPage('ypgl/bqbkfl', 'condition')
