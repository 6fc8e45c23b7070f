/** What is done beside answering requests, and what it takes in dollars. */
export interface WorkCost {
  readonly what: string;
  readonly dollars: number;
}
