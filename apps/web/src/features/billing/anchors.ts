/** Anchors of the billing page that lead to a control: the button that pays a bill, and the form for another card. */
export const payAnchor = '#pay';
export const cardAnchor = '#card';
