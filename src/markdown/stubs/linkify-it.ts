// Stands in for `linkify-it`, which is switched off: bare addresses stay text.

export class LinkifyIt {}
