export { countOpen as countOpenDifferences } from './difference.reads'
