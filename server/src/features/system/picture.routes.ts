import { uploadPicture } from '@aisle/contract/system/picture'
import { command, type Route } from '../../kernel/route'
import { keepPicture } from './picture.commands'

export const routes: Route[] = [command(uploadPicture, keepPicture)]
