/** Facts of this installation by name, such as the id of its object storage. */
export type InstanceTable = {
  name: string;
  value: string;
};
