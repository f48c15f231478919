/** An error of AWS. SDK clients see its name as the name of the error. */
export class AwsError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}
