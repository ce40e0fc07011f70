export { notify } from './notify.commands'
